import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const text = { type: 'string' };
const strings = { type: 'array', items: text };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const properties = { type: 'object', properties: { tags: { ...strings, uniqueItems: true } } };
const words = { type: 'object', additionalProperties: { type: 'string' } };

/** An object that knows no members but these; those whose names end in `!` must be there. */
function object(members: Readonly<Record<string, unknown>>): object {
  const required = Object.keys(members).filter((name) => name.endsWith('!'));
  return {
    type: 'object',
    additionalProperties: false,
    required: required.map((name) => name.slice(0, -1)),
    properties: Object.fromEntries(Object.entries(members).map(([name, of]) => [name.replace('!', ''), of])),
  };
}

const message = object({ 'text!': { type: 'string', minLength: 1 } });
const web = { protocol: text, version: text, headers: words, body: object({ text }) };
const artifact = object({ uri: { type: 'string', format: 'uri-reference' }, uriBaseId: text });
const instant = { type: 'string', format: 'date-time' };

const rule = object({
  'id!': text,
  shortDescription: message,
  fullDescription: message,
  defaultConfiguration: object({ level }),
  properties,
});

const result = object({
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: -1 },
  kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
  level,
  'message!': message,
  locations: {
    type: 'array',
    minItems: 1,
    items: object({
      physicalLocation: object({ 'artifactLocation!': artifact }),
      logicalLocations: { type: 'array', items: object({ name: text, fullyQualifiedName: text }) },
    }),
  },
  partialFingerprints: words,
  suppressions: {
    type: 'array',
    items: object({ 'kind!': { enum: ['inSource', 'external'] }, justification: text }),
  },
  webRequest: object({ ...web, target: text, method: text }),
  webResponse: object({
    ...web,
    statusCode: { type: 'integer' },
    reasonPhrase: text,
    noResponseReceived: { type: 'boolean' },
  }),
  properties,
});

const invocation = object({
  'executionSuccessful!': { type: 'boolean' },
  exitCode: { type: 'integer' },
  exitCodeDescription: text,
  startTimeUtc: instant,
  endTimeUtc: instant,
  toolExecutionNotifications: { type: 'array', items: object({ level, 'message!': message }) },
});

const run = object({
  'tool!': object({
    'driver!': object({
      'name!': text,
      semanticVersion: text,
      rules: { type: 'array', items: rule, uniqueItems: true },
    }),
  }),
  automationDetails: object({ id: text }),
  invocations: { type: 'array', items: invocation },
  originalUriBaseIds: { type: 'object', additionalProperties: object({ uri: { type: 'string', format: 'uri' } }) },
  columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
  results: { type: 'array', items: result },
});

const log = object({ $schema: text, 'version!': { const: '2.1.0' }, 'runs!': { type: 'array', items: run } });

const ajv = new Ajv({ allErrors: true, strictTypes: false });
formats.default(ajv);
const validate = ajv.compile(log);

/** What a log breaks of the parts of SARIF 2.1.0 that reports use; a member beyond them is a fault too. */
export function sarifFaults(value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message: words = '' }) => `${instancePath} ${words}`);
}
