import { AuditLog } from '../audit/audit-log.repository';
import { EmailChangeApprovals } from '../emails/email-change-approvals.service';
import { EmailChangeApprovalsRepository } from '../emails/email-change-approvals.repository';
import { GroupAdmission } from '../members/group-admission.service';
import { GroupIdentities } from './group-identities.repository';
import { GroupSsoController } from './group-sso.controller';
import { GroupSso } from './group-sso.service';
import { ProvisionedAccountsRepository } from './provisioned-accounts.repository';
import { ProvisionedAccounts } from './provisioned-accounts.service';
import { ProvisionedEmails } from './provisioned-emails.service';
import { SamlProvider } from './saml-provider.entity';
import { SamlProvidersRepository } from './saml-providers.repository';
import { TrustedDomains } from './trusted-domains';

/** Single sign-on of groups and what identity providers do with accounts, as the identity module takes it up. */
export const GROUP_SSO = {
  entities: [SamlProvider],
  controllers: [GroupSsoController],
  published: [
    AuditLog,
    EmailChangeApprovals,
    GroupAdmission,
    GroupIdentities,
    GroupSso,
    ProvisionedAccounts,
    ProvisionedEmails,
  ],
  providers: [
    EmailChangeApprovalsRepository,
    ProvisionedAccountsRepository,
    SamlProvidersRepository,
    TrustedDomains,
  ],
} as const;
