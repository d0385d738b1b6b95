/** The environment variable by which test files find the template database of this run. */
export const TEMPLATE_URL = 'TEST_TEMPLATE_DATABASE_URL';
