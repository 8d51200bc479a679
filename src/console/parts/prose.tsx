/** A sentence of the catalogue: what stands between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  const pieces = text.split('`');
  return (
    <>{pieces.map((piece, index) => (index % 2 === 1 && index < pieces.length - 1 ? <code>{piece}</code> : piece))}</>
  );
}
