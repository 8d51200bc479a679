import type { Answers } from '../generated/questions.js';
import type { Answer } from '../routes/call.js';

/**
 * The body of a success: `{success: true, data}` (section "What the service does", list 1). A message stands
 * beside the payload only where the document has one: the paused payment of v5.
 */
export function successBody(answer: Answer): string | Uint8Array {
  if ('body' in answer) return answer.body;
  const json = 'json' in answer ? answer.json : JSON.stringify(answer.data ?? null);
  const message =
    'message' in answer && answer.message !== undefined ? `,"message":${JSON.stringify(answer.message)}` : '';
  return `{"success":true,"data":${json}${message}}`;
}

/** The body of a refusal. Its shape is an open question: `error.body` and `error.code`. */
export function failureBody(answers: Answers, code: string, message: string): string {
  const codePart = answers['error.code'] === 'code' ? { code } : {};
  switch (answers['error.body']) {
    case 'message':
      return JSON.stringify({ success: false, data: null, message, ...codePart });
    case 'error':
      return JSON.stringify({ success: false, data: null, error: message, ...codePart });
    case 'errors':
      return JSON.stringify({ success: false, data: null, errors: [{ message }], ...codePart });
    case 'data':
      return JSON.stringify({ success: false, data: { message }, ...codePart });
  }
}
