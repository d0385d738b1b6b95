import { Inject, Injectable } from '@nestjs/common';
import { addressIn, isPublic, type PinnedAddress } from './address-rules';
import { Exchange } from './exchange';
import { failureOf } from './failures';
import { NameResolver } from './name-resolver';
import { refused, type UrlRefusal } from './outbound-error';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options';
import type { OutboundRequest, OutboundResponse } from './outbound-request';
import { refusalOf } from './url-rules';

/**
 * The one way to URLs that users gave: none of this machine, of private networks, or of a cloud's metadata service is
 * ever called (unless the operator allows it), whatever the name server answers and whenever it answers otherwise.
 */
@Injectable()
export class OutboundHttp {
  constructor(
    @Inject(OUTBOUND_OPTIONS) private readonly options: OutboundOptions,
    private readonly names: NameResolver,
  ) {}

  /** Why a URL is refused when it is given; null for one that may be kept. Looks at the text alone. */
  checkUrl(url: string): UrlRefusal | null {
    return refusalOf(url, this.options);
  }

  /**
   * The addresses that a URL's host has now, all of them checked: who connects to one of these, and asks no name
   * server again, stays outside. For programs that make their own connections, such as git.
   * Throws OutboundError: `refused` where any of them is local, `connection` where there are none.
   */
  async addressesOf(url: string): Promise<readonly PinnedAddress[]> {
    const refusal = this.checkUrl(url);
    if (refusal) throw refused(refusal);
    const { hostname } = new URL(url);
    const literal = addressIn(hostname);
    const addresses = literal ? [literal] : await this.lookUp(hostname);
    if (!this.options.allowLocal && !addresses.every(isPublic)) throw refused('host');
    return addresses;
  }

  /**
   * Makes a request to addresses that were looked up once and checked; follows no redirect, and keeps a bounded part
   * of the answer. Any status is an answer. Throws OutboundError where none came.
   */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const refusal = this.checkUrl(request.url);
    if (refusal) throw refused(refusal);
    return new Exchange(new URL(request.url), request).run(() => this.addressesOf(request.url));
  }

  private async lookUp(host: string): Promise<readonly PinnedAddress[]> {
    try {
      return await this.names.addressesOf(host);
    } catch (error) {
      throw failureOf(error);
    }
  }
}
