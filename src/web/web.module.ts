import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { ConfirmationsController } from './confirmations/confirmations.controller';
import { EmailChangeController } from './confirmations/email-change.controller';
import { HomeController } from './home/home.controller';
import { ApplicationsController } from './oauth/applications.controller';
import { AuthorizeController } from './oauth/authorize.controller';
import { PageSite } from './pages/page-site';
import { PageWriter } from './pages/page-writer';
import { ChangePasswordController } from './passwords/change-password.controller';
import { ResetPasswordController } from './passwords/reset-password.controller';
import { StylesheetController } from './rendering/stylesheet.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { TokensController } from './tokens/tokens.controller';

/** Pages for people: how they get in, and what they need to go on by git and API. */
@Module({
  imports: [IdentityModule],
  controllers: [
    HomeController,
    SignInController,
    ChangePasswordController,
    ResetPasswordController,
    ConfirmationsController,
    EmailChangeController,
    TokensController,
    ApplicationsController,
    AuthorizeController,
    StylesheetController,
  ],
  providers: [PageSite, PageWriter],
})
export class WebModule {}
