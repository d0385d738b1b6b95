/** Signs people in by what they know, for protocols that have no sign-in page. */
export abstract class PasswordLogins {
  /** The user of a username or e-mail and password; null when they do not fit or the user is blocked. */
  abstract withPassword(login: string, password: string): Promise<{ readonly id: number } | null>;
}
