/** A part of the documentation that `teebox help TOPIC` shows. */
interface Topic {
  /** A file of the package. */
  readonly file: string;
  /** The heading of its part; without one, the whole page. */
  readonly heading?: string;
  readonly summary: string;
}

/** What `teebox help` explains. A topic that has the name of a command would never be reached. */
export const topics = {
  'getting-started': { file: 'docs/quick-starts/curl.md', summary: 'the first day of a partner, with curl' },
  failures: { file: 'docs/failures.md', summary: 'scenarios: inject a failure, and what holds afterwards' },
  refusals: { file: 'docs/refusals.md', summary: 'why a request was refused' },
  facilities: { file: 'docs/facilities.md', summary: 'which facility to use for a test' },
  state: {
    file: 'docs/state-and-worlds.md',
    heading: 'Snapshots, export and files',
    summary: 'keep and restore state',
  },
  worlds: { file: 'docs/state-and-worlds.md', heading: 'Worlds', summary: 'run tests in parallel against one server' },
  time: { file: 'docs/time-and-callbacks.md', heading: 'The clock', summary: 'freeze, set and move the clock' },
  callbacks: { file: 'docs/time-and-callbacks.md', summary: 'receive, repeat and sign the results of searches' },
  dialects: { file: 'docs/dialects.md', summary: 'what the document leaves open, and cards with answers' },
  conformance: { file: 'docs/conformance.md', summary: 'judge a deployment: the guide to teebox check' },
  ci: { file: 'docs/conformance.md', heading: 'In CI', summary: 'check a deployment in CI' },
  certification: { file: 'docs/certify.md', summary: 'judge a client: the guide to teebox certify' },
  traffic: { file: 'docs/proxy.md', summary: 'judge live traffic: the guide to teebox proxy' },
  capsules: { file: 'docs/capsules.md', summary: 'keep a failure as a file, and play it again' },
  agents: { file: 'docs/agents.md', summary: 'coding agents: the guide to teebox mcp' },
  'unit-tests': { file: 'docs/unit-tests.md', summary: 'the sandbox in Vitest, Jest and node:test' },
  'front-ends': { file: 'docs/front-ends.md', summary: 'the sandbox in a page, with Vite and Playwright' },
  library: { file: 'docs/library.md', summary: 'entry points and options of the package' },
  'admin-api': { file: 'docs/admin-api.md', summary: 'what an operator of a sandbox can see and do' },
  environment: {
    file: 'docs/command-line.md',
    heading: 'Environment variables',
    summary: 'variables of the environment, and their flags',
  },
  'exit-codes': { file: 'docs/command-line.md', heading: 'Exit codes', summary: 'what the exit codes mean' },
  operations: { file: 'docs/operations.md', summary: 'a curl command for every operation' },
  versions: { file: 'docs/versions.md', summary: 'what differs between the versions of the API' },
  limits: { file: 'docs/limits.md', summary: 'what is bounded' },
} as const satisfies Readonly<Record<string, Topic>>;

export type TopicName = keyof typeof topics;
export const topicNames = Object.keys(topics) as readonly TopicName[];
