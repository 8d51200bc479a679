import { chaos, plans } from '../../data/board.js';
import { useReload } from '../../data/journal.js';

/** What is armed, kept up to date as requests trigger scenarios and as operators arm elsewhere. */
export function useArmed() {
  const reload = () => Promise.all([plans.reload(), chaos.reload()]);
  useReload(reload, [], { reads: true });
  const [armed, drawn] = [plans.state.value, chaos.state.value];
  return {
    plans: armed.data?.plans,
    chaos: drawn.data?.chaos,
    error: armed.error ?? drawn.error,
    reload,
  };
}

export type Armed = ReturnType<typeof useArmed>;
