import { Git, GitEngine } from '#libs/git';
import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import { Repositories } from './repositories';
import { Storages } from './storages';

/** The git engine of this process and the directories it works in. */
@Global()
@Module({
  providers: [
    { provide: Git, useFactory: () => new GitEngine() },
    {
      provide: Storages,
      inject: [SETTINGS],
      useFactory: (settings: Settings) => new Storages(settings.repositoryStorages),
    },
    Repositories,
  ],
  exports: [Git, Repositories, Storages],
})
export class StoragesModule implements OnApplicationShutdown {
  constructor(@Inject(Git) private readonly git: Git) {}

  onApplicationShutdown(): Promise<void> {
    return this.git.close();
  }
}
