import { MirrorPulls } from './mirror-pulls.service';
import { MirrorSettings } from './mirror-settings.service';
import { MirrorsController } from './mirrors.controller';
import { RemoteSchedule } from './remote-schedule.job';
import { UpdateFromRemote } from './remote-update.job';
import { RemoteUpdates } from './remote-updates.service';
import { RemotesRepository } from './remotes.repository';

/** What the repository context's module is told of mirrors. */
export const MIRRORS = {
  controllers: [MirrorsController],
  providers: [
    MirrorPulls,
    MirrorSettings,
    RemoteSchedule,
    RemotesRepository,
    RemoteUpdates,
    UpdateFromRemote,
  ],
};
