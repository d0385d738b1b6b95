import { ANONYMOUS, authorize, sufficientScopes, type Actor, type SubjectFacts } from '#libs/access';
import { DomainError, forbidden, notFound, unauthenticated } from '#libs/errors';
import { Urls } from '#libs/presenting';
import { License } from '#libs/tiers';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Authenticator } from '../authentication/authenticator';
import {
  CallerResolver,
  type Account,
  type Resolution,
  type SubjectReference,
} from '../authentication/caller-resolver';
import { requireUsable, TOKEN_RULES, type TokenRules } from '../authentication/account-checks';
import { bearerParameters } from '../authentication/strategies';
import { requireSudo, sudoTarget } from '../authentication/sudo';
import { parseParams } from '../parameters/params';
import { parsePage } from '../parameters/page-params';
import type { ParameterBag } from '../parameters/values';
import { addressOf, abortedWithClient, parseHttpDate } from '../application/request-facts';
import type { Call } from './call';
import type { EndpointDefinition } from './endpoint';
import { definitionOf } from './endpoint-catalogue';
import { ScimGate } from './scim-gate';
import { pathWithoutSuffix, withoutSuffix } from './json-suffix';

/**
 * The checks before every handler, in this order: authenticate, sudo, scope, tier, parameters, authorize.
 * An endpoint moves its login or access check forward where the reference has it in a filter.
 */
@Injectable()
export class EndpointGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly resolver: CallerResolver,
    private readonly license: License,
    private readonly urls: Urls,
    @Inject(TOKEN_RULES) private readonly tokenRules: TokenRules,
    private readonly scim: ScimGate,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const definition = definitionOf(context.getHandler());
    if (!definition) return true;
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const call =
      definition.protocol === 'scim'
        ? await this.admitScim(definition, request, response)
        : await this.admit(definition, request, response);
    const view = { actor: call.actor, urls: this.urls, license: this.license };
    request.exchange = { call, view, request, response };
    return true;
  }

  /** Nobody acts but the group's identity provider, so there is no caller, no sudo and no scope. */
  private async admitScim(
    { options }: EndpointDefinition,
    request: Request,
    response: Response,
  ): Promise<Call<unknown, unknown>> {
    const { subject, parameters } = await this.scim.admit(request);
    return {
      actor: ANONYMOUS,
      subject,
      params: parseParams(options.params, parameters),
      page: parsePage({}),
      unmodifiedSince: null,
      address: addressOf(request),
      header: (name) => request.get(name),
      body: request,
      get signal() {
        return abortedWithClient(response);
      },
    };
  }

  private async admit(
    definition: EndpointDefinition,
    request: Request,
    response: Response,
  ): Promise<Call<unknown, unknown>> {
    const { options } = definition;
    const bag = withoutSuffix(definition, { ...request.parameters, ...request.params });
    const { resolution, actor } = await this.identifyUpon(definition, request, response, bag);

    if (definition.loginFirst && !actor.user) throw unauthenticated();
    const isUnlicensed = options.feature !== undefined && !this.license.has(options.feature);
    if (isUnlicensed && !options.saysUnlicensed) throw notFound();

    const facts = factsOf(definition, resolution);
    if (options.accessFirst) {
      authorize(options.accessFirst, actor, facts);
      // A write that nobody has signed is told so before its parameters are looked at.
      if (definition.method !== 'GET' && definition.method !== 'HEAD' && !actor.user) throw unauthenticated();
    }
    if (isUnlicensed) throw forbidden();
    const params = parseParams(options.params, bag);
    const page = parsePage(bag);
    authorize(options.access, actor, facts);

    return {
      actor,
      subject: definition.subject ? resolution[definition.subject] : null,
      params,
      page,
      unmodifiedSince:
        definition.method === 'DELETE' ? parseHttpDate(request.get('if-unmodified-since')) : null,
      address: addressOf(request),
      header: (name) => request.get(name),
      body: request,
      get signal() {
        return abortedWithClient(response);
      },
    };
  }

  /** As identify; a subject that does not exist is looked for once more without the `.json` suffix of its path. */
  private async identifyUpon(
    definition: EndpointDefinition,
    request: Request,
    response: Response,
    bag: ParameterBag,
  ) {
    const identified = await this.identify(definition, request, response, bag);
    const id = pathWithoutSuffix(definition, bag.id);
    const isMissing = definition.subject && !identified.resolution[definition.subject];
    return id !== null && isMissing
      ? this.identify(definition, request, response, { ...bag, id })
      : identified;
  }

  private takesJobTokens({ options }: EndpointDefinition): boolean {
    return options.jobToken === true && this.license.has('job_token_api');
  }

  /** Authenticate, sudo and scope. Costs one query, two with sudo. */
  private async identify(
    definition: EndpointDefinition,
    request: Request,
    response: Response,
    bag: ParameterBag,
  ) {
    if (definition.options.ownCredential && !definition.subject) return NOBODY;
    // passport-http-bearer looks in the body; our parameters are read from all places into one bag.
    request.body = bearerParameters(request);
    const credential = await this.authenticator.credentialOf(request, response);
    const subject = subjectReference(definition, bag);
    const target = sudoTarget(request, bag);
    if (!credential) return this.anonymous(subject, target);
    if (credential.kind === 'job_token' && !this.takesJobTokens(definition)) throw unauthenticated();

    const resolution = await this.resolver.resolve(
      { by: 'credential', credential },
      target === null ? subject : null,
    );
    const account = requireUsable(resolution.account, credential.kind, request, this.tokenRules);
    if (!account) return this.anonymous(subject, target);
    if (target === null) {
      requireScope(definition, account);
      return { resolution, actor: actorOf(account, resolution.level) };
    }
    requireSudo(account);
    const other = await this.resolver.resolve({ by: 'name', idOrUsername: target }, subject);
    if (!other.account) {
      throw new DomainError({
        kind: 'not_found',
        message: `404 User with ID or username '${target}' Not Found`,
      });
    }
    if (other.account.isBlocked) throw forbidden('Your account has been blocked.');
    return { resolution: other, actor: { ...actorOf(account, other.level), user: other.account.user } };
  }

  /** Who would act as somebody else must be somebody. */
  private async anonymous(subject: SubjectReference | null, sudo: string | null) {
    if (sudo !== null) throw unauthenticated();
    return { resolution: await this.resolver.resolve(null, subject), actor: ANONYMOUS };
  }
}

/** Who shows a credential that is not ours to check, upon nothing that a path names. */
const NOBODY: { readonly resolution: Resolution; readonly actor: Actor } = {
  resolution: { account: null, level: 0, project: null, group: null },
  actor: ANONYMOUS,
};

const actorOf = (account: Account, level: number): Actor => ({
  user: account.user,
  level,
  credential: account.credential,
  scopes: account.scopes,
});

function requireScope(definition: EndpointDefinition, account: Account): void {
  if (account.credential !== 'token') return;
  const isRead = definition.method === 'GET' || definition.method === 'HEAD';
  const sufficient = sufficientScopes(definition.options.scopes ?? [], isRead);
  if (!account.scopes.some((scope) => sufficient.includes(scope))) {
    throw new DomainError({ kind: 'insufficient_scope', scope: sufficient.join(' ') });
  }
}

/** `:id` is a number when it is all digits, else a full path. */
function subjectReference({ subject }: EndpointDefinition, bag: ParameterBag): SubjectReference | null {
  const { id } = bag;
  if (!subject || typeof id !== 'string') return null;
  return { kind: subject, id: /^\d{1,18}$/.test(id) ? Number(id) : id };
}

function factsOf(definition: EndpointDefinition, { project, group }: Resolution): SubjectFacts {
  if (definition.subject === 'project' && project) return { kind: 'project', facts: project };
  if (definition.subject === 'group' && group) return { kind: 'group', facts: group };
  return null;
}
