/** Folders whose files somebody else has written. */
const VENDORED_FOLDERS = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', 'vendor', 'vendors', '_vendor', 'third_party'],
  ...['third-party', '3rdparty', 'extern', 'external', 'externals', 'deps', 'pods', 'carthage', 'godeps'],
  ...['.yarn', '.gradle', '.mvn', '.github', '.gitlab', '.vscode', 'dist', 'cache', 'testdata', 'fixtures'],
  ...['elm-stuff', 'site-packages', '.bundle', '.osx'],
]);

/** Folders that explain the software; some only at the top. */
const DOCUMENTATION_FOLDERS = new Set(['documentation', 'javadoc', 'groovydoc']);
const TOP_DOCUMENTATION_FOLDERS = new Set([
  ...['doc', 'docs', 'man', 'example', 'examples', 'demo', 'demos', 'sample', 'samples'],
]);

const VENDORED_FILES = [
  /^(?:jquery|bootstrap|angular|ember|react|d3|three|prototype|modernizr|mootools|dojo|foundation|select2|raphael|zepto|backbone|underscore|font-?awesome|normalize|animate)(?:[-.](?:ui|min|core|slim|bundle|mobile|theme|all))*(?:[-.]v?\d[\w.]*)?(?:[-.](?:min|slim|bundle))*\.(?:js|css|scss|less)$/i,
  /^(?:configure|config\.guess|config\.sub|aclocal\.m4|libtool\.m4|ltmain\.sh|install-sh|missing|depcomp)$/,
  /^(?:gradlew|gradlew\.bat|mvnw|mvnw\.cmd|vagrantfile|rebar)$/i,
];

const GENERATED_FILES = [
  /[.-](?:min|bundle)\.(?:js|css|mjs|cjs)$/i,
  /\.(?:js|css)\.map$/i,
  /(?:\.pb|_pb2|_pb2_grpc|_pb|_grpc_pb)\.(?:go|py|js|ts|cc|h|rb|php|d\.ts)$/i,
  /\.(?:pb|pbobjc|nib|feature|g|freezed|gr)\.(?:cc|h|m|cs|dart)$/i,
  /\.(?:designer\.(?:cs|vb)|xcworkspacedata|xcuserstate|nib|storyboardc)$/i,
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|cargo\.lock|gemfile\.lock|poetry\.lock|pdm\.lock|uv\.lock|gopkg\.lock|glide\.lock|pipfile\.lock|flake\.lock|bun\.lock|go\.sum|\.pnp\.[a-z.]+)$/i,
  /^(?:zz_generated\.|mock_).*\.go$|_(?:generated|mock)\.go$|\.generated\.\w+$/i,
];

const DOCUMENTATION_FILES =
  /^(?:change(?:s|log)?|contributing|copying|install(?:ation)?|licen[cs]e|readme|authors|notice)(?:\.\w+)*$/i;

/** Whether nothing in the folder counts, by its path from the repository's root; where nobody says otherwise. */
export function isExcludedFolder(folder: string): boolean {
  const names = folder.toLowerCase().split('/');
  const isTop = names.length === 1;
  const last = names.at(-1) ?? '';
  return (
    VENDORED_FOLDERS.has(last) ||
    DOCUMENTATION_FOLDERS.has(last) ||
    (isTop && TOP_DOCUMENTATION_FOLDERS.has(last))
  );
}

const foldersAbove = (file: string): string[] => {
  const names = file.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
};

/** What kind of file it is, by its path, that does not count; null for those that do. */
export function exclusionOf(file: string): 'vendored' | 'generated' | 'documentation' | null {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const folders = foldersAbove(file).map((folder) => folder.toLowerCase());
  const isIn = (names: ReadonlySet<string>) =>
    folders.some((folder) => names.has(folder.slice(folder.lastIndexOf('/') + 1)));
  if (isIn(VENDORED_FOLDERS) || VENDORED_FILES.some((pattern) => pattern.test(name))) return 'vendored';
  const top = folders[0];
  const isDocumentation =
    isIn(DOCUMENTATION_FOLDERS) || (top !== undefined && TOP_DOCUMENTATION_FOLDERS.has(top));
  if (isDocumentation || DOCUMENTATION_FILES.test(name)) return 'documentation';
  return GENERATED_FILES.some((pattern) => pattern.test(name)) ? 'generated' : null;
}
