import { call } from '../../data/api.js';
import { chaos, plans } from '../../data/board.js';
import { useReload } from '../../data/journal.js';
import { useCall, usePolling } from '../../data/load.js';

const OPERATOR_MS = 5000;

/** What is armed, kept up to date: by the journal as requests trigger scenarios, and by looking as operators arm elsewhere. */
export function useArmed() {
  const rivals = useCall(call('GET', 'rivals'));
  const reload = () => Promise.all([plans.reload(), chaos.reload(), rivals.reload()]);
  useReload(reload, [], { reads: true });
  usePolling(rivals.reload, OPERATOR_MS, []);
  const [armed, drawn] = [plans.state.value, chaos.state.value];
  return {
    plans: armed.data?.plans,
    chaos: drawn.data?.chaos,
    rivals: rivals.data?.rivals,
    error: armed.error ?? drawn.error ?? rivals.error,
    reload,
  };
}

export type Armed = ReturnType<typeof useArmed>;
