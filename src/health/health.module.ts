import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { Readiness } from './readiness';
import { Serving } from './serving';

@Module({ controllers: [HealthController], providers: [Readiness, Serving] })
export class HealthModule {}
