export type { Mail } from './mail';
export type { MailOptions } from './mail-options';
export { MailModule } from './mail.module';
export { Mailer } from './mailer';
