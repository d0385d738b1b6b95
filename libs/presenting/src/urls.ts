/** Absolute URLs in answers, all on the configured EXTERNAL_URL. */
export class Urls {
  constructor(readonly base: string) {}

  /** `fullPath` is a namespace's or project's path, which is made of URL-safe characters alone. */
  web(fullPath: string): string {
    return `${this.base}/${fullPath}`;
  }

  api(path: string): string {
    return `${this.base}/api/v4${path}`;
  }

  gitOverHttp(fullPath: string): string {
    return `${this.base}/${fullPath}.git`;
  }

  /** SSH is not served; the address is what the reference shows for clients that read it. */
  gitOverSsh(fullPath: string): string {
    return `git@${new URL(this.base).hostname}:${fullPath}.git`;
  }
}
