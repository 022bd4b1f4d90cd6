/**
 * The layer table of the architecture, held for every import, types included. A folder may import what stands below it.
 * `main, serve, cli → window, transport, handlers → services → workers → theta, onnx → updates, formats → encodings, tensors, git → bytes → shared`
 */
const LAYERS = [
  ['main', 'serve', 'preload', 'cli', 'start'],
  ['window', 'transport', 'handlers'],
  ['services'],
  ['workers'],
  ['theta', 'onnx'],
  ['updates', 'formats'],
  ['encodings', 'tensors', 'git'],
  ['bytes'],
];

/** Folder or root file of a layer; compiled tests follow the same rule as what they test. */
const place = (name) => `^electron/${name}(?:/|\\.ts$)`;

const layerRules = LAYERS.flatMap((names, depth) => {
  const above = LAYERS.slice(0, depth).flat();
  if (above.length === 0) return [];
  return names.map((name) => ({
    name: `layer-${name}`,
    comment: `${name}/ may import only what stands below it, not ${above.join(', ')}`,
    severity: 'error',
    from: { path: place(name) },
    to: { path: above.map(place).join('|') },
  }));
});

module.exports = {
  forbidden: [
    ...layerRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-stands-alone',
      severity: 'error',
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^shared/|^node_modules/(?:valibot|msgpackr)/' },
    },
    { name: 'electron-not-renderer', severity: 'error', from: { path: '^electron/' }, to: { path: '^renderer/' } },
    { name: 'renderer-not-electron', severity: 'error', from: { path: '^renderer/' }, to: { path: '^electron/' } },
    {
      name: 'views-are-apart',
      comment: 'a view never imports another view',
      severity: 'error',
      from: { path: '^renderer/views/([^/]+)/' },
      to: { path: '^renderer/views/', pathNot: '^renderer/views/$1/' },
    },
    {
      name: 'components-are-stateless',
      severity: 'error',
      from: { path: '^renderer/(?:components|charts)/' },
      to: { path: '^renderer/(?:views|state|client)/' },
    },
    {
      name: 'charts-are-pure',
      severity: 'error',
      from: { path: '^renderer/charts/', pathNot: '\\.test\\.' },
      to: { path: '^node_modules/(?:react|react-dom|zustand)/|^renderer/components/' },
    },
    {
      name: 'electron-only-in-hosts',
      comment: "only these places may import 'electron': requiring it in plain Node tries to download it",
      severity: 'error',
      from: { pathNot: '^electron/(?:main\\.ts|preload\\.ts|window/|transport/electronTransport)|\\.test\\.ts$' },
      to: { path: '^(?:node_modules/)?electron(?:/|$)', dependencyTypes: ['npm', 'npm-dev'] },
    },
    {
      name: 'tasks-are-pure',
      severity: 'error',
      from: { path: '^electron/workers/tasks/', pathNot: '\\.test\\.ts$' },
      to: { path: '^electron/', pathNot: '^electron/(?:workers/tasks|onnx|formats|updates|tensors|encodings|bytes)/' },
    },
    { name: 'not-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(?:virtual:|\\?)|\\?|\\.css$|^electron$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
