import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import type { ApiClient } from './api-client';

/** What a job's payload has that tests look at; the rest is as it came. */
export interface GivenJob {
  readonly id: number;
  readonly token: string;
  readonly job_info: { readonly name: string; readonly stage: string };
  readonly git_info: { readonly repo_url: string; readonly sha: string };
  readonly variables: readonly { readonly key: string; readonly value: string }[];
  readonly dependencies: readonly { readonly id: number; readonly token: string }[];
}

interface Registration {
  readonly token: string;
  readonly tag_list?: string;
  readonly run_untagged?: boolean;
  readonly access_level?: string;
  readonly maximum_timeout?: number;
}

/** What the reference's runner says that it is able to do. */
const FEATURES = {
  variables: true,
  image: true,
  services: true,
  artifacts: true,
  cache: true,
  upload_multiple_artifacts: true,
  upload_raw_artifacts: true,
  refspecs: true,
  masking: true,
};

const INFO = {
  name: 'gitlab-runner',
  version: '12.4.1',
  revision: '05161b14',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  shell: 'bash',
  features: FEATURES,
};

/** Speaks the wire protocol as the reference's own runner does. */
export class RunnerClient {
  private lastUpdate: string | undefined;

  private constructor(
    private readonly api: ApiClient,
    readonly id: number,
    readonly token: string,
  ) {}

  static async register(api: ApiClient, registration: Registration): Promise<RunnerClient> {
    const { status, body } = await api.post('/runners', {
      description: `runner ${randomBytes(3).toString('hex')}`,
      locked: false,
      info: INFO,
      ...registration,
    });
    if (status !== 201) throw new Error(`the runner was refused: ${status}`);
    return new RunnerClient(api, body.id, body.token);
  }

  /** The same runner at another node. */
  at(api: ApiClient): RunnerClient {
    return new RunnerClient(api, this.id, this.token);
  }

  /** Asks for a job as the runner does, which brings along what it was told the last time. */
  async ask(): Promise<Response> {
    const response = await this.api.post('/jobs/request', {
      token: this.token,
      info: INFO,
      ...(this.lastUpdate !== undefined && { last_update: this.lastUpdate }),
    });
    this.lastUpdate = response.get('x-gitlab-last-update');
    return response;
  }

  /** Asks without waiting. */
  async poll(): Promise<GivenJob | null> {
    this.lastUpdate = undefined;
    const { status, body } = await this.ask();
    if (status === 201) return body;
    if (status !== 204) throw new Error(`asking for a job was answered with ${status}`);
    return null;
  }

  /** Throws where there is no job. */
  async take(): Promise<GivenJob> {
    const job = await this.poll();
    if (!job) throw new Error('there is no job');
    return job;
  }

  log({ id, token }: GivenJob, text: string, start = 0): Promise<Response> {
    const end = start + Buffer.byteLength(text);
    return this.api
      .with({ 'job-token': token })
      .patch(`/jobs/${id}/trace`)
      .set({ 'content-type': 'text/plain', 'content-range': `${start}-${end - 1}` })
      .send(text);
  }

  report({ id, token }: GivenJob, state: string, failureReason?: string): Promise<Response> {
    const reason = failureReason === undefined ? {} : { failure_reason: failureReason };
    return this.api.put(`/jobs/${id}`, { token, info: INFO, state, ...reason });
  }

  upload(
    { id, token }: GivenJob,
    file: Buffer,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const wanted = { artifact_format: 'zip', artifact_type: 'archive', ...query };
    return this.api
      .with({ 'job-token': token })
      .post(`/jobs/${id}/artifacts?${new URLSearchParams(wanted).toString()}`)
      .attach('file', file, 'artifacts.zip');
  }
}
