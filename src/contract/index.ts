/** The door of `contract`: what everything knows of the API specification. */
export * as requestValidators from './generated/built/request-validators.js';
export { fit } from './fit.js';
export type {
  components as adminComponents,
  operations as adminOperations,
  paths as adminPaths,
} from './generated/admin-types.js';
export type { QueryValidator } from './generated/built/admin-validators.js';
export { answerSchemas } from './generated/built/answer-schemas.js';
export { type Question, questions, type Rule, rules, type Source } from './generated/built/catalogue.js';
export { type CheckConfig, config, type Settings } from './generated/built/config-validator.js';
export { fixturesJson } from './generated/built/fixtures.js';
export { CardAnswers, ChaosRequest, DialectCard, PlanRequest } from './generated/built/input-validators.js';
export { type Obligation, obligations } from './generated/built/obligations.js';
export { listWorldsQuery, WorldChange, WorldRequest } from './generated/built/operator-validators.js';
export { RefreshRequest, type SchemaError, type Validator } from './generated/built/request-validators.js';
export { optional, responses, searchResult } from './generated/built/response-validators-open.js';
export { scenario } from './generated/built/scenario-validator.js';
export { BookingState, Change, State, StateFormat } from './generated/built/state-validators.js';
export { world } from './generated/built/world-validator.js';
export type { WorldFile } from './generated/world-file.js';
export { type FailureCode, failures } from './generated/failures.js';
export type { ObligationId } from './generated/obligations.js';
export {
  type BodyField,
  type BodyFields,
  bodyFields,
  type OperationId,
  type OperationName,
  operations,
  type OperationSpec,
  type ParameterSpec,
  type Version,
} from './generated/operations.js';
export { operationNames } from './generated/operation-names.js';
export type { components as operatorComponents } from './generated/operator-types.js';
export {
  type Answers,
  type GivenAnswers,
  type QuestionId,
  questionSwitches,
  type VersionedQuestion,
} from './generated/questions.js';
export { ruleBasis, type RuleId } from './generated/rule-basis.js';
export {
  type Delay,
  type Effect,
  type Phase,
  type Scenario,
  type ScenarioId,
  scenarios,
} from './generated/scenarios.js';
export type { operations as apiOperations, components } from './generated/types.js';
export { isAmong } from './among.js';
export { bodyValidators } from './body-validators.js';
export { fieldsOf, invalidParameters, matchOperation, operationOf, readBody, type AnswerParts } from './operations.js';
export { type AdminValidators, loadAdminValidators, loadCatalogue } from './load.js';
