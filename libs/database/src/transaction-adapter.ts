import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { DataSource } from 'typeorm';
import { collectFor, runAll, type AfterCommitAction } from './after-commit';
import { collectLastFor, runInOrder, type LastAction } from './before-commit';

/** The TypeORM adapter of @Transactional(), with actions right before and after the commit added. */
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
          let last: LastAction[] = [];
          const workAndLast = async (): Promise<unknown> => {
            const done: unknown = await work();
            await runInOrder(last);
            return done;
          };
          const result: unknown = await methods.wrapWithTransaction(options, workAndLast, (manager) => {
            actions = collectFor(manager?.queryRunner);
            last = collectLastFor(manager?.queryRunner);
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
