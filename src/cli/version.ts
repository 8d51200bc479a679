declare const TEEBOX_VERSION: string | undefined;

/** The version of the package, put in by the build. */
export const version = typeof TEEBOX_VERSION === 'string' ? TEEBOX_VERSION : '0.0.0-source';
