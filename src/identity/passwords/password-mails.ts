import type { Mail } from '#libs/mail';

/** The username alone: a name is free text. */
interface Recipient {
  readonly username: string;
  readonly email: string;
}

/** `link` lets its holder choose a password. */
export const resetMail = ({ username, email }: Recipient, link: string): Mail => ({
  to: email,
  subject: 'Reset password instructions',
  text: `Hello, ${username}!

Somebody, hopefully you, has asked for a new password of your account. To choose one, open

${link}

The link works once, for six hours. If it was not you, ignore this mail: nothing changes.
`,
});

export const changedMail = ({ username, email }: Recipient, passwordPage: string): Mail => ({
  to: email,
  subject: 'Password changed',
  text: `Hello, ${username}!

The password of your account has been changed, and every session but the one that changed it has ended.
If it was not you, choose another one now: ${passwordPage}
`,
});
