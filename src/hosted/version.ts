declare const TEEBOX_VERSION: string;

/** The version of the package, put in by the build. */
export const version = TEEBOX_VERSION;
