/** All TypeScript that is generated. */
export const outputFolder: string;

/** Whether every derived file that is not committed exists and was made from the sources as they are now. */
export function isDerivedFresh(): boolean;

/** Records that the files with these names, from the root of the project, were made from the sources as they are now. */
export function stampDerived(files: readonly string[]): void;
