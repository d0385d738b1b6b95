export {
  Endpoint,
  ENDPOINT,
  type Answer,
  type EndpointDefinition,
  type EndpointOptions,
} from './endpoint/endpoint';
export { EndpointCatalogue, endpointsOf, type CatalogueEntry } from './endpoint/endpoint-catalogue';
export { API_PREFIX, SCIM_PREFIX, type HttpMethod } from './endpoint/row';
export { ScimGate, type ScimAdmission } from './endpoint/scim-gate';
export { callerIdOf, exchangeOf } from './endpoint/exchange';
export type { Call, CallOf, GroupCall, ProjectCall, ScimCall, SubjectOf, Subjects } from './endpoint/call';
export * from './authentication/caller-resolver';
export { Readers, type Reader } from './authentication/readers';
export { Authenticator } from './authentication/authenticator';
export { requireUsable } from './authentication/account-checks';
export type { Credential } from './authentication/credential';
export { SESSION_COOKIE } from './authentication/strategies';
export { RawAnswer } from './responses/raw-answer';
export { base64Json, type StreamedBytes } from './responses/base64-json';
export { answerFor, type ErrorAnswer } from './errors/error-body';
export { HttpModule, type HttpOptions } from './application/http.module';
export { ServiceAdapter } from './application/service-adapter';
export { abortedWithClient, addressOf } from './application/request-facts';
export { params, parseParams, type ParamsOf, type ParamsSchema } from './parameters/params';
export { wire } from './parameters/wire';
export * from './parameters/cross-field-rules';
export { standardHeaders } from './application/standard-headers';
export { crossOrigin } from './application/cors';
export { joinedSlashes } from './application/doubled-slashes';
export { readBody } from './parameters/body';
export { LongText } from './parameters/long-text';
export { describeParams, type ParameterDescription } from './parameters/describe-params';
export { bodyLimitsOf, type BodyLimits } from './parameters/body-limits';
export {
  emptyBag,
  isBag,
  lastOf,
  type ParameterValue,
  RepeatedValue,
  UploadedFile,
  type ParameterBag,
} from './parameters/values';
