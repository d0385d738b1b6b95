import { notFound } from '#libs/errors';
import { Controller } from '@nestjs/common';
import { Authorizations, OAuthApplications } from '../../identity/identity.api';
import { PersonalPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import {
  applicationProblems,
  detailsOf,
  draftOf,
  draftOfApplication,
  EMPTY_DRAFT,
} from './application-draft';
import {
  APPLICATIONS,
  applicationsPage,
  editPage,
  secretPage,
  type ApplicationsView,
} from './applications.page';

/** Applications that act for the visitor, and those that the visitor has registered. */
@Controller()
export class ApplicationsController {
  constructor(
    private readonly applications: OAuthApplications,
    private readonly authorizations: Authorizations,
  ) {}

  @PersonalPage(`GET ${APPLICATIONS}`)
  list(visit: PersonalVisit): Promise<PageAnswer> {
    return this.page(visit, { draft: EMPTY_DRAFT, problems: [] });
  }

  /** Shows the secret in the answer to the form: nowhere is it kept for a further page. */
  @PersonalPage(`POST ${APPLICATIONS}`)
  async register(visit: PersonalVisit): Promise<PageAnswer> {
    const draft = draftOf(visit.form);
    try {
      return secretPage(visit, await this.applications.register(visitor(visit).id, detailsOf(draft)));
    } catch (error) {
      return this.page(visit, { draft, problems: applicationProblems(error) });
    }
  }

  @PersonalPage(`GET ${APPLICATIONS}/:id/edit`)
  async edit(visit: PersonalVisit): Promise<PageAnswer> {
    const application = await this.applications.getOfOwner(visitor(visit).id, idOf(visit));
    return editPage(visit, application, draftOfApplication(application));
  }

  @PersonalPage(`POST ${APPLICATIONS}/:id`)
  async change(visit: PersonalVisit): Promise<PageAnswer> {
    const draft = draftOf(visit.form);
    const application = await this.applications.getOfOwner(visitor(visit).id, idOf(visit));
    try {
      await this.applications.change(visitor(visit).id, application.id, detailsOf(draft));
    } catch (error) {
      return editPage(visit, application, draft, applicationProblems(error));
    }
    return redirect(`${APPLICATIONS}?notice=application_changed`);
  }

  @PersonalPage(`POST ${APPLICATIONS}/:id/secret`)
  async renewSecret(visit: PersonalVisit): Promise<PageAnswer> {
    return secretPage(visit, await this.applications.renewSecret(visitor(visit).id, idOf(visit)));
  }

  @PersonalPage(`POST ${APPLICATIONS}/:id/delete`)
  async remove(visit: PersonalVisit): Promise<PageAnswer> {
    await this.applications.removeOfOwner(visitor(visit).id, idOf(visit));
    return redirect(`${APPLICATIONS}?notice=application_deleted`);
  }

  /** Of an application that acts for the visitor, whoever has registered it. */
  @PersonalPage(`POST ${APPLICATIONS}/:id/revoke`)
  async revoke(visit: PersonalVisit): Promise<PageAnswer> {
    await this.authorizations.revoke(visitor(visit).id, idOf(visit));
    return redirect(`${APPLICATIONS}?notice=application_revoked`);
  }

  private async page(
    visit: PersonalVisit,
    shown: Pick<ApplicationsView, 'draft' | 'problems'>,
  ): Promise<PageAnswer> {
    const { id } = visitor(visit);
    const authorized = await this.authorizations.ofUser(id);
    return applicationsPage(visit, { ...shown, authorized, own: await this.applications.ofOwner(id) });
  }
}

function idOf(visit: PersonalVisit): number {
  const id = visit.pathParameter('id');
  if (!/^\d{1,15}$/.test(id)) throw notFound('Application');
  return Number(id);
}
