/** A page of the sidebar. */
export interface Entry {
  /** Its file, from the root of the repository. */
  readonly file: string;
  /** Its short title. */
  readonly title: string;
  /** Pages below it, which are closed until the reader opens them. */
  readonly pages?: readonly Entry[];
}

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The pages of the site by reader. Each page of the documentation is here once; test/e2e/docs/site holds that. */
export const groups: readonly Group[] = [
  {
    title: 'For partners',
    entries: [
      { file: 'README.md', title: 'What Teebox is' },
      {
        file: 'docs/quick-starts/index.md',
        title: 'Quick starts',
        pages: [
          { file: 'docs/quick-starts/curl.md', title: 'curl' },
          { file: 'docs/quick-starts/typescript.md', title: 'TypeScript' },
          { file: 'docs/quick-starts/python.md', title: 'Python' },
          { file: 'docs/quick-starts/java.md', title: 'Java' },
          { file: 'docs/quick-starts/csharp.md', title: 'C#' },
          { file: 'docs/quick-starts/go.md', title: 'Go' },
          { file: 'docs/quick-starts/php.md', title: 'PHP' },
        ],
      },
      {
        file: 'docs/unit-tests.md',
        title: 'Unit tests',
        pages: [
          { file: 'docs/front-ends.md', title: 'Front ends' },
          { file: 'docs/frameworks.md', title: 'Frameworks' },
        ],
      },
      { file: 'docs/end-to-end.md', title: 'End-to-end tests' },
      {
        file: 'docs/failures.md',
        title: 'Failures and refusals',
        pages: [{ file: 'docs/facilities.md', title: 'Facilities by need' }],
      },
      { file: 'docs/time-and-callbacks.md', title: 'Time and callbacks' },
      {
        file: 'docs/state-and-worlds.md',
        title: 'State and worlds',
        pages: [{ file: 'docs/own-facilities.md', title: 'Your own facilities' }],
      },
      {
        file: 'docs/certify.md',
        title: 'Certify a client',
        pages: [{ file: 'docs/obligations.md', title: 'Obligations of a client' }],
      },
    ],
  },
  {
    title: 'For the service team',
    entries: [
      { file: 'docs/conformance.md', title: 'Check a deployment' },
      { file: 'docs/explore.md', title: 'Explore a deployment' },
      { file: 'docs/operators.md', title: 'Open questions of the specification' },
      { file: 'docs/proxy.md', title: 'Check live traffic' },
    ],
  },
  {
    title: 'Reference',
    entries: [
      {
        file: 'docs/command-line.md',
        title: 'Command line',
        pages: [
          { file: 'docs/troubleshooting.md', title: 'When something is odd' },
          { file: 'docs/limits.md', title: 'Limits' },
          { file: 'docs/upgrading.md', title: 'Upgrading' },
        ],
      },
      { file: 'docs/library.md', title: 'Library' },
      {
        file: 'docs/operations.md',
        title: 'Operations of the API',
        pages: [
          { file: 'docs/versions.md', title: 'Versions of the API' },
          { file: 'docs/collections.md', title: 'Postman and Bruno' },
        ],
      },
      {
        file: 'docs/admin-api.md',
        title: 'Admin API',
        pages: [{ file: 'docs/console/README.md', title: 'The console in pictures' }],
      },
      { file: 'docs/containers.md', title: 'Containers' },
    ],
  },
  {
    title: 'More',
    entries: [
      {
        file: 'docs/dialects.md',
        title: 'Dialects (advanced)',
        pages: [
          { file: 'docs/capsules.md', title: 'Capsules' },
          { file: 'docs/agents.md', title: 'Coding agents' },
          { file: 'docs/hosting.md', title: 'Hosted worlds' },
          { file: 'docs/speed.md', title: 'Speed' },
        ],
      },
      {
        file: 'CONTRIBUTING.md',
        title: 'Contributing',
        pages: [
          { file: 'docs/architecture.md', title: 'Architecture' },
          {
            file: 'docs/decisions/README.md',
            title: 'Decisions',
            pages: [
              { file: 'docs/decisions/0001-msw-data-behind-indexes.md', title: '1. Data behind indexes' },
              { file: 'docs/decisions/0002-two-typescripts.md', title: '2. Two versions of TypeScript' },
              { file: 'docs/decisions/0003-standalone-validators.md', title: '3. Standalone validators' },
              { file: 'docs/decisions/0004-one-msw-handler.md', title: '4. One MSW handler' },
              { file: 'docs/decisions/0005-a-world-per-actor.md', title: '5. A world per actor' },
              { file: 'docs/decisions/0006-no-rationing-of-requests.md', title: '6. No rationing of requests' },
              { file: 'docs/decisions/0007-generated-files.md', title: '7. Generated files' },
              { file: 'docs/decisions/0008-state-as-changes.md', title: '8. State as changes' },
              { file: 'docs/decisions/0009-where-a-request-spends-its-time.md', title: '9. The time of a request' },
              {
                file: 'docs/decisions/0010-libraries-that-were-not-taken.md',
                title: '10. Libraries that were not taken',
              },
            ],
          },
          { file: 'SECURITY.md', title: 'Security' },
          { file: 'CHANGELOG.md', title: 'Changelog' },
        ],
      },
    ],
  },
];

/** Addresses of pages that are parts of others now, so that old links work. */
export const moved: Readonly<Record<string, string>> = {
  refusals: 'failures#why-a-request-was-refused',
};

/** The home page, which every page links to. */
export const home = 'docs/index.md';

function filesOf({ file, pages = [] }: Entry): string[] {
  return [file, ...pages.flatMap(filesOf)];
}

/** The files that are pages of the site. */
export const files: readonly string[] = [home, ...groups.flatMap(({ entries }) => entries.flatMap(filesOf))];

/** Where the site has the page of a file: `failures.md` for `docs/failures.md`. */
export function routeOf(file: string): string {
  if (file.startsWith('docs/')) return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
  return file.toLowerCase();
}

/** The address of a page below the base of the site: `/failures`, `/` for the home page. */
export function addressOf(file: string): string {
  return `/${routeOf(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`;
}
