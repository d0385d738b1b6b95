/** The data of `seed`: always the same. */
export const PEOPLE = [
  { username: 'ada', name: 'Ada Example' },
  { username: 'ben', name: 'Ben Example' },
  { username: 'cleo', name: 'Cleo Example' },
] as const;

export const GROUP = { path: 'demo', name: 'Demonstration' } as const;

interface DemonstrationCommit {
  /** Index into PEOPLE. */
  readonly by: number;
  readonly branch: string;
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

interface DemonstrationProject {
  readonly name: string;
  readonly path: string;
  readonly visibility: 'public' | 'internal' | 'private';
  readonly commits: readonly DemonstrationCommit[];
}

export const PROJECTS: readonly DemonstrationProject[] = [
  {
    name: 'Weather station',
    path: 'weather-station',
    visibility: 'public',
    commits: [
      {
        by: 0,
        branch: 'master',
        message: 'Read the thermometer',
        files: {
          'README.md': '# Weather station\n\nReads sensors and keeps what they say.\n',
          'src/thermometer.js': 'export const celsius = (raw) => raw / 16 - 50;\n',
        },
      },
      {
        by: 1,
        branch: 'master',
        message: 'Read the barometer',
        files: { 'src/barometer.js': 'export const hectopascal = (raw) => raw / 4 + 300;\n' },
      },
      {
        by: 2,
        branch: 'wind',
        message: 'Begin with the wind gauge',
        files: { 'src/wind.js': 'export const knots = (turns) => turns * 1.492;\n' },
      },
    ],
  },
  {
    name: 'Notebook',
    path: 'notebook',
    visibility: 'private',
    commits: [
      { by: 0, branch: 'master', message: 'First page', files: { 'pages/1.md': 'What we want to build.\n' } },
      { by: 0, branch: 'master', message: 'Second page', files: { 'pages/2.md': 'What it costs.\n' } },
    ],
  },
];
