import { call } from '../../data/api.js';
import { useReload } from '../../data/journal.js';
import { useCall, usePolling } from '../../data/load.js';

const OPERATOR_MS = 5000;

/** What is armed, kept up to date: by the journal as requests trigger scenarios, and by looking as operators arm elsewhere. */
export function useArmed() {
  const plans = useCall(call('GET', 'plans'));
  const chaos = useCall(call('GET', 'chaos'));
  const rivals = useCall(call('GET', 'rivals'));
  const reload = () => Promise.all([plans.reload(), chaos.reload(), rivals.reload()]);
  useReload(reload, [], { reads: true });
  usePolling(reload, OPERATOR_MS, []);
  return {
    plans: plans.data?.plans,
    chaos: chaos.data?.chaos,
    rivals: rivals.data?.rivals,
    error: plans.error ?? chaos.error ?? rivals.error,
    reload,
  };
}

export type Armed = ReturnType<typeof useArmed>;
