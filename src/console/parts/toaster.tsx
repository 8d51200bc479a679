import { X } from 'lucide';
import { dismiss, toasts } from '../data/toasts.js';
import { Icon } from './icon.js';

/** The messages, read aloud as they come. */
export function Toaster() {
  return (
    <div class="toaster" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text }) => (
        <div key={id} class={`toast ${tone}`}>
          <p>{text}</p>
          <button type="button" class="button quiet bare" onClick={() => dismiss(id)}>
            <Icon of={X} size={14} />
            <span class="unseen">Dismiss</span>
          </button>
        </div>
      ))}
    </div>
  );
}
