import { useState } from 'preact/hooks';

/** What forms had when their page was left. */
const left = new Map<string, unknown>();

/** A state of a form by its name, which is there again when somebody comes back to its page. */
export function useDraft<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => (left.has(name) ? (left.get(name) as Value) : initial));
  const change = (next: Value) => {
    left.set(name, next);
    setValue(next);
  };
  return [value, change];
}
