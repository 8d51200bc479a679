import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly hint?: ComponentChildren;
}

function Hint({ id, of }: { readonly id: string; readonly of: ComponentChildren }) {
  if (!of) return null;
  return (
    <p class="hint" id={`${id}-hint`}>
      {of}
    </p>
  );
}

/** A line of text. */
export function TextField({
  label,
  value,
  change,
  hint,
  type = 'text',
  placeholder,
  required = false,
}: FieldProps & {
  readonly type?: 'text' | 'search' | 'password' | 'number' | 'date' | 'datetime-local' | 'email' | 'tel';
  readonly placeholder?: string;
  readonly required?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type as 'text'}
        value={value}
        placeholder={placeholder}
        required={required}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <Hint id={id} of={hint} />
    </div>
  );
}

/** Several lines of text. */
export function TextArea({ label, value, change, rows }: Omit<FieldProps, 'hint'> & { readonly rows: number }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        spellcheck={false}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </div>
  );
}

interface SelectProps extends FieldProps {
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** One of several values. */
export function SelectField({ label, value, change, hint, options }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {options.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
      <Hint id={id} of={hint} />
    </div>
  );
}

interface CheckFieldProps {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly change: (checked: boolean) => void;
}

/** On or off. */
export function CheckField({ label, checked, change }: CheckFieldProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
