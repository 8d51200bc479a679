/** The door of `common`: words, limits, masking, HAR and curl, for any wing. */
export { canonicalInAnyOrder, canonicalJson, isSameJson } from './canonical.js';
export { capsuleTest } from './capsule-test.js';
export { exactAmount } from './amount.js';
export { closest, didYouMean } from './closest.js';
export { curlCommand, quoted, shellWord } from './curl.js';
export { defined } from './defined.js';
export { DURATION_FORMS, durationText, readDuration } from './duration.js';
export { harRequest, type HarRequest, harResponse, type HarResponse } from './har.js';
export { isObject, JsonMeter, type JsonObject, parsedJson, shallowJson } from './json.js';
export { jsonFault, type JsonFault, jsonFaultWords, placeAfter, repeatedNames, type TextPlace } from './json-fault.js';
export { deceptiveSign, foldedText, hiddenDifference } from './look-alike.js';
export {
  isSecretMember,
  isSecretParameter,
  MASK,
  fromBase64,
  maskAddress,
  maskCredentials,
  Masker,
  maskHeader,
  maskJson,
  maskText,
  spellingsOf,
  withoutEscapes,
} from './mask.js';
export { alternatives, createUnique, ValidationError, validationError, shown } from './validation-error.js';
export { checkNesting, extentOf, isSmall, MOST_LEVELS } from './nesting.js';
export { anyGlob, decoded, isDay } from './texts.js';
export { readSettings } from './settings.js';
export { type InSlices, type Pause, pauseBy, slicesBy, textStreamBy } from './slices.js';
export { consoleLine, jsonEscape, visible, visibleJson, visibleLines, withoutCommand } from './visible.js';
export { connectionFault } from './connection-fault.js';
export { counted, staleEntries } from './words.js';
