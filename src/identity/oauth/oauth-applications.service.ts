import { badRequest, invalid, notFound, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { digestOf, newSecret } from '../access-tokens/secrets';
import type { OAuthApplication } from './oauth-application.entity';
import type { CreateApplication } from './oauth-application.params';
import { OAuthApplicationsRepository } from './oauth-applications.repository';
import { scopesOf } from './oauth-scopes';
import { redirectUriErrors, redirectUrisOf } from './redirect-uris';
import type { RegisteredApplication } from './registered-application';

/** What somebody says of an application, as they typed it. */
export interface ApplicationDetails {
  readonly name: string;
  /** One to a line. */
  readonly redirectUri: string;
  /** Between spaces. */
  readonly scopes: string;
  readonly confidential: boolean;
}

const MAX_NAME_LENGTH = 255;
/** So that the page that shows them stays one page. */
const MOST_OF_ONE_OWNER = 100;

/** Clients of the OAuth 2 provider: those of the whole service, and those that people register for themselves. */
@Injectable()
export class OAuthApplications {
  constructor(private readonly applications: OAuthApplicationsRepository) {}

  /** All there are, people's own included. */
  list(page: PageRequest): Promise<Page<OAuthApplication>> {
    return this.applications.page(page);
  }

  /** One of the whole service. Throws `validation`. */
  registerForAll(params: ParamsOf<typeof CreateApplication>): Promise<RegisteredApplication> {
    const { name, redirect_uri: redirectUri, scopes, confidential, trusted } = params;
    return this.insert({ name, redirectUri, scopes, confidential }, null, trusted);
  }

  /** Throws "404 Application Not Found". */
  async remove(id: number): Promise<void> {
    if (!(await this.applications.remove(id))) throw notFound('Application');
  }

  ofOwner(ownerId: number): Promise<OAuthApplication[]> {
    return this.applications.ofOwner(ownerId, MOST_OF_ONE_OWNER);
  }

  /** Throws "404 Application Not Found" also for somebody else's. */
  async getOfOwner(ownerId: number, id: number): Promise<OAuthApplication> {
    const application = await this.applications.find(id, ownerId);
    if (!application) throw notFound('Application');
    return application;
  }

  /** Somebody's own. Throws `validation`, and `bad_request` when they have too many. */
  async register(ownerId: number, details: ApplicationDetails): Promise<RegisteredApplication> {
    if ((await this.applications.countOfOwner(ownerId)) >= MOST_OF_ONE_OWNER) {
      throw badRequest(`You cannot register more than ${MOST_OF_ONE_OWNER} applications.`);
    }
    return this.insert(details, ownerId, false);
  }

  /** Throws "404 Application Not Found" also for somebody else's, and `validation`. */
  async change(ownerId: number, id: number, details: ApplicationDetails): Promise<void> {
    await this.getOfOwner(ownerId, id);
    await this.applications.update(id, checked(details));
  }

  /** The old secret no longer works. Throws "404 Application Not Found" also for somebody else's. */
  async renewSecret(ownerId: number, id: number): Promise<RegisteredApplication> {
    const application = await this.getOfOwner(ownerId, id);
    const secret = newSecret();
    await this.applications.update(id, { secretDigest: digestOf(secret) });
    return { application, secret };
  }

  /** Throws "404 Application Not Found" also for somebody else's. */
  async removeOfOwner(ownerId: number, id: number): Promise<void> {
    if (!(await this.applications.remove(id, ownerId))) throw notFound('Application');
  }

  private async insert(
    details: ApplicationDetails,
    ownerId: number | null,
    trusted: boolean,
  ): Promise<RegisteredApplication> {
    const columns = checked(details);
    const secret = newSecret();
    const application = await this.applications.insert({
      ...columns,
      uid: newSecret(),
      secretDigest: digestOf(secret),
      ownerId,
      trusted,
    });
    return { application, secret };
  }
}

function checked({ name, redirectUri, scopes: scopeText, confidential }: ApplicationDetails) {
  const redirectUris = redirectUrisOf(redirectUri);
  const scopes = scopesOf(scopeText);
  const found: Record<string, string[]> = {
    name: nameErrors(name),
    redirect_uri: redirectUriErrors(redirectUris),
    scopes:
      scopes === null ? ['can only contain available scopes'] : scopes.length === 0 ? ["can't be blank"] : [],
  };
  const errors: ValidationErrors = Object.fromEntries(
    Object.entries(found).filter(([, sentences]) => sentences.length > 0),
  );
  if (scopes === null || Object.keys(errors).length > 0) throw invalid(errors);
  return { name: name.trim(), redirectUris, scopes, confidential };
}

function nameErrors(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  return name.length > MAX_NAME_LENGTH ? [`is too long (maximum is ${MAX_NAME_LENGTH} characters)`] : [];
}
