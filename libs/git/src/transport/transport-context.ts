import type { RepositoryContext } from '../repository-context';

/** What the transport needs of an opened repository. */
export type TransportContext = Pick<RepositoryContext, 'location' | 'broker' | 'signal' | 'reader'>;
