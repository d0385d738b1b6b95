import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { DataSource } from 'typeorm';
import { collectFor, runAll, type AfterCommitAction } from './after-commit';

/** The TypeORM adapter of @Transactional(), with actions after the commit added. */
export class TransactionAdapter extends TransactionalAdapterTypeOrm {
  constructor() {
    super({ dataSourceToken: DataSource });
    const plain = this.optionsFactory;
    this.optionsFactory = (dataSource: DataSource) => {
      const methods = plain(dataSource);
      return {
        ...methods,
        async wrapWithTransaction(options, work, setManager) {
          let actions: AfterCommitAction[] = [];
          const result: unknown = await methods.wrapWithTransaction(options, work, (manager) => {
            actions = collectFor(manager?.queryRunner);
            setManager(manager);
          });
          // From here on the plain connections serve: the transaction's own one is released.
          setManager(undefined);
          await runAll(actions);
          return result;
        },
      };
    };
  }
}
