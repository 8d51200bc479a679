import { useState } from 'preact/hooks';
import { declineToken, giveToken, tokenQuestion } from '../data/token.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/field.js';

/** Asks for the admin token when the server requires one. */
export function TokenDialog() {
  const question = tokenQuestion.value;
  return question ? <TokenForm wrong={question.wrong} /> : null;
}

function TokenForm({ wrong }: { readonly wrong: boolean }) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') giveToken(text.trim());
  };
  return (
    <Dialog title="Admin token" close={declineToken}>
      <form onSubmit={submit}>
        <p class="about">
          This server requires a token for its admin API. It is printed below the address when the server starts, or set
          with <code>--admin-token</code>. This page keeps it in memory until it is closed or reloaded.
        </p>
        {wrong && (
          <p class="failure" role="alert">
            The server did not accept that token.
          </p>
        )}
        <TextField label="Token" type="password" value={text} change={setText} required />
        <div class="dialog-actions">
          <button type="button" class="button" onClick={declineToken}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Continue
          </button>
        </div>
      </form>
    </Dialog>
  );
}
