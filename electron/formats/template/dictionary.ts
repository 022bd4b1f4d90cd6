/**
 * What zips, pickles and .npy headers of checkpoints say again and again: deflate takes it for what came before a template, so that the
 * template of a small file is mostly its own names. A stored template cannot be read without this very text: it is never changed; a
 * better one gets a number of its own.
 */
export const DICTIONARY_NUMBER = 1;

const zeros = (count: number) => '\0'.repeat(count);
const PADDING = 'Z'.repeat(64);

/** Local header, padding, content and descriptor as PyTorch's writer leaves them (caffe2/serialize/inline_container.cc). */
const record = (name: string, content: string) => `PK\x03\x04\0\0\x08\x08${zeros(20)}\0\0archive/${name}FB\0\0${PADDING}${content}PK\x07\x08`;
const directoryRecord = (name: string) => `PK\x01\x02\0\0\0\0\x08\x08${zeros(6)}\0\0\0\0\x10${zeros(17)}\0\0archive/${name}`;
const storages = (form: (name: string) => string) => Array.from({ length: 20 }, (_, index) => form(`data/${19 - index}`)).join('');

const TYPES = ['Double', 'Half', 'BFloat16', 'Int', 'Short', 'Char', 'Byte', 'Bool'].map((name) => `ctorch\n${name}Storage\nq`).join('');
const NAMES = [
  'optimizer_states',
  'state_dict',
  'exp_avg_sq',
  'exp_avg',
  'step',
  'epoch',
  'model',
  'transformer.h.',
  'embed_tokens',
  'self_attn.q_proj.weight',
  'mlp.up_proj.weight',
  'layers.0.attention.',
  'downsample.0.',
  'layer1.0.conv1.weight',
  'classifier.',
  'encoder.',
  'decoder.',
  'norm.num_batches_tracked',
  'norm.running_var',
  'norm.running_mean',
  'norm.bias',
  'norm.weight',
  'conv.bias',
  'conv.weight',
  '.bias',
  '.weight',
].join('');

const NUMPY = `PK\x03\x04-${zeros(5)}!\0.npy\x01\0\x10\0\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (), }${' '.repeat(60)}\nPK\x01\x02-\x03-${zeros(7)}!\0`;

/** The pickle of a dictionary of tensors, protocol 2. */
const PICKLE =
  `\x80\x02ccollections\nOrderedDict\nq\0)Rq\x01(X\x16\0\0\0` +
  `\x80\x02}q\0(X\x18\0\0\0.weightq\x01ctorch._utils\n_rebuild_parameter\nq\x02ctorch._utils\n_rebuild_tensor_v2\nq\x02((X\x07\0\0\0storageq\x03ctorch\nFloatStorage\nq\x04` +
  `X\x01\0\0\x000q\x05X\x03\0\0\0cpuq\x06K\x90tq\x07QK\0(K\x10K\x01K\x03K\x03tq\x08(K\tK\tK\x03K\x01tq\t\x89ccollections\nOrderedDict\nq\n)Rq\x0btq\x0cRq\r` +
  `X\x16\0\0\0.biasq\x0eh\x02((h\x03h\x04X\x01\0\0\x001q\x0fh\x06K\x10tq\x10QK\0K\x10\x85q\x11K\x01\x85q\x12\x89h\n)Rq\x13tq\x14Rq\x15` +
  `X\x17\0\0\0h\x02((h\x03ctorch\nLongStorage\nq7X\x02\0\0\x0010q8h\x06K\x01tq9QK\0))\x89h\n)Rq:tq;Rq<` +
  `h\x03((h\x04h\x05X\x01\0\0\x001q\x0fh\x07K\x40M\0\x10J\0\0\x01\0tq\x10QK\0K\x40K\x20\x86q\x11K\x20K\x01\x86q\x12\x89h\0)Rq\x13tq\x14Rq\x15u.PK\x07\x08`;

const END =
  `PK\x06\x06,${zeros(7)}\x1e\x03-${zeros(7)}\0\x08${zeros(7)}\x08${zeros(7)}\0\0${zeros(6)}\0\0\0${zeros(5)}PK\x06\x07\0\0\0\0\0\0${zeros(6)}\x01\0\0\0` +
  `PK\x05\x06\0\0\0\0\x08\0\x08\0\0\0\0\0\0\0\0\0\0\0`;

const HEAD =
  `["float64",["float16",["bfloat16",["int32",["uint8",["bool",` +
  `{"groups":[[["weight"],"int64",[]],[["layer.weight"],"float32",[64,64]],[["layer.bias"],"float32",[64]],` +
  `[[".conv.weight"],"float32",[16,16,3,3]],[[".norm.weight"],"float32",[16]],[[".norm.bias"],"float32",[16]]],` +
  `"segments":[64,138,1,127,2,126,6,122,-1,4,-26,120,-1,4,-2,120,-1,4,-2,120,-1,4,-2,112,58,-2,58,-2,59,-2,59,-2],` +
  `"entries":[1,1,1,1,1,1,1,1,1,1,3,1,3,1,3,1,3,1,3,1,3,1,3,1,3,1,1,2]}`;

export const DICTIONARY: Uint8Array = Buffer.from(
  [
    NAMES,
    NUMPY,
    TYPES,
    END,
    storages(directoryRecord),
    ['.data/serialization_id', 'version', 'byteorder', '.storage_alignment', '.format_version', 'data.pkl'].map(directoryRecord).join(''),
    storages((name) => record(name, '')),
    record('.data/serialization_id', '0499730627151940687805611085236196705294'),
    record('version', '3\n'),
    record('byteorder', 'little'),
    record('.storage_alignment', '64'),
    record('.format_version', '1'),
    record('data.pkl', PICKLE),
    HEAD,
  ].join(''),
  'latin1',
);
