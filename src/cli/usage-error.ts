/** A mistake in how the command was called. It is printed as one line on stderr; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
