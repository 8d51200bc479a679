/** A flag on a green. */
export function Logo() {
  return (
    <svg class="logo" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <ellipse cx="16" cy="24.5" rx="8" ry="2.2" />
      <path class="pole" d="M13 6v17" />
      <path class="flag" d="M13 6.5l9 4-9 4z" />
    </svg>
  );
}
