/** What the notices need of a metafile of esbuild. */
interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

export function noticesOf(...metafiles: readonly Metafile[]): string;
