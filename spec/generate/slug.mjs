// Plain JavaScript, since the build runs before anything is compiled.

/** The id of a heading, as the repository's own site makes it, so that anchors work in all places. */
export const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
