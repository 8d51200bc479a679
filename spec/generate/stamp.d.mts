/** Whether every file of `src/contract/generated/built` exists and was made from the sources as they are now. */
export function isBuiltFresh(): boolean;

/** Records that the files of `src/contract/generated/built` with these names were made from the sources as they are now. */
export function stampBuilt(files: readonly string[]): void;
