import type { Catalogue, Question } from './catalogue.js';
import type { Contract, Schema } from './contract.js';

/** Puts the questions into the schema of the answers of a dialect card, `CardAnswers`. */
export function withCardAnswers(admin: Contract, { questions }: Catalogue): Contract {
  const { schemas } = admin.components;
  const properties: Record<string, Schema> = {};
  for (const question of questions.filter(({ kind }) => kind !== 'noted')) {
    properties[question.id] = answerSchema(question);
    for (const version of question.formerly === undefined ? [] : question.versions!) {
      properties[question.formerly!.replace('{version}', version)] = { ...optionSchema(question), deprecated: true };
    }
  }
  const answers = { ...schemas['CardAnswers'], additionalProperties: false, properties };
  return { ...admin, components: { ...admin.components, schemas: { ...schemas, CardAnswers: answers } } };
}

function answerSchema(question: Question): Schema {
  const { question: asks, versions } = question;
  const option = optionSchema(question);
  if (!versions) return { description: asks, ...option };
  const properties = Object.fromEntries(versions.map((version) => [version, option]));
  const due = `${String(option['x-teebox-due'])}, or an object of these by version (${versions.join(', ')})`;
  const byVersion = { type: 'object', minProperties: 1, additionalProperties: false, properties };
  return { description: asks, 'x-teebox-due': due, oneOf: [option, byVersion] };
}

/** An answer for one version, or for all of them. */
function optionSchema({ kind, options, values, min, max }: Question): Schema {
  switch (kind) {
    case 'choice': {
      const choices = options!.map(({ value }) => value);
      return { 'x-teebox-due': `one of ${choices.join(', ')}`, enum: choices };
    }
    case 'integer':
      return { 'x-teebox-due': `a whole number from ${min} to ${max}`, type: 'integer', minimum: min, maximum: max };
    case 'subset':
      return {
        'x-teebox-due': `a list of ${values!.join(', ')}, each at most once`,
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', enum: values },
      };
    default:
      return { 'x-teebox-due': 'the name of a request header that is free to carry a token', ...headerName };
  }
}

/**
 * Headers that carry the message itself are not free: a token in one of them would break the exchange. `__proto__` is
 * the one name that Node does not keep.
 */
const reserved = [
  'content-.*',
  'transfer-.*',
  'host',
  'connection',
  'cookie',
  'expect',
  'upgrade',
  'te',
  'trailer',
  '__proto__',
];
const inAnyCase = (text: string) => text.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
const headerName = {
  type: 'string',
  pattern: `^(?!(${[...reserved, 'teebox-.*'].map(inAnyCase).join('|')})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,64}$`,
};
