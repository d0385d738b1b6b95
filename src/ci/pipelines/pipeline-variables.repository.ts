import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { SealedTexts } from '../../identity/identity.api';
import type { PipelineVariable, VariableType } from './pipeline-variable';

/** What the seal of their values is for. */
const PURPOSE = 'pipeline variable';

/** Variables of pipelines; their values stand sealed in the database. */
@Injectable()
export class PipelineVariablesRepository {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedTexts,
  ) {}

  async add(pipelineId: number, variables: readonly PipelineVariable[]): Promise<void> {
    if (variables.length === 0) return;
    await this.database.manager.query(
      `INSERT INTO pipeline_variables (pipeline_id, key, variable_type, sealed_value)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[])`,
      [
        pipelineId,
        variables.map(({ key }) => key),
        variables.map(({ variableType }) => variableType),
        variables.map(({ value }) => this.sealed.seal(PURPOSE, value)),
      ],
    );
  }

  /** By key. */
  async of(pipelineId: number): Promise<PipelineVariable[]> {
    const rows = await this.database.prepared<{
      key: string;
      variableType: VariableType;
      sealedValue: Buffer;
    }>(
      'variables_of_pipeline',
      `SELECT key, variable_type AS "variableType", sealed_value AS "sealedValue" FROM pipeline_variables
       WHERE pipeline_id = $1 ORDER BY key`,
      [pipelineId],
    );
    return rows.map(({ key, variableType, sealedValue }) => ({
      key,
      variableType,
      value: this.sealed.open(PURPOSE, sealedValue),
    }));
  }
}
