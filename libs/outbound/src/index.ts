export type { PinnedAddress } from './address-rules';
export { NameResolver } from './name-resolver';
export { OutboundError, type OutboundProblem, type UrlRefusal } from './outbound-error';
export { OutboundHttp } from './outbound-http';
export { OutboundModule } from './outbound.module';
export type { OutboundOptions } from './outbound-options';
export type { OutboundRequest, OutboundResponse } from './outbound-request';
