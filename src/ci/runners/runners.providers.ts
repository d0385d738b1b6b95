import { JobRequests } from './job-requests.service';
import { JobTaking } from './job-taking.service';
import { ProjectRunners } from './project-runners.service';
import { RunnerJobsController } from './runner-jobs.controller';
import { RunnerRegistrationController } from './runner-registration.controller';
import { RunnerRegistration } from './runner-registration.service';
import { RunnerReports } from './runner-reports.service';
import { Runner } from './runner.entity';
import { RunnersController } from './runners.controller';
import { RunnersRepository } from './runners.repository';
import { Runners } from './runners.service';
import { TakenJobs } from './taken-jobs.service';
import { WaitingRunners } from './waiting-runners';

/** Runners, as the module takes them up. */
export const RUNNERS = {
  entities: [Runner],
  controllers: [RunnerRegistrationController, RunnersController, RunnerJobsController],
  providers: [
    JobRequests,
    JobTaking,
    ProjectRunners,
    RunnerRegistration,
    RunnerReports,
    Runners,
    RunnersRepository,
    TakenJobs,
    WaitingRunners,
  ],
} as const;
