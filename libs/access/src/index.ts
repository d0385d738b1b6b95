export * from './levels';
export * from './scopes';
export * from './actor';
export * from './policy';
export * from './project-policy';
export * from './group-policy';
export * from './access';
