import type { FieldSite, Frame } from '../../encodings/protobuf/frame';

/**
 * An ONNX model (onnx.proto) with the place of everything that an edit may touch. Read by `readModel`; payloads of tensors are not in it.
 * Texts are decoded by `decodeName`: bytes that are not UTF-8 become lone surrogates U+DC80..U+DCFF, so that every name is kept exactly
 * and equal texts are equal bytes.
 */
export interface OnnxModel {
  /** Bytes of the file. */
  readonly length: number;
  readonly frame: Frame;
  readonly irVersion: number;
  /** Field 1. */
  readonly irVersionSite: FieldSite | null;
  readonly producer: string;
  readonly producerVersion: string;
  readonly domain: string;
  readonly doc: string;
  readonly opsets: readonly OpsetImport[];
  readonly metadata: readonly MetadataProp[];
  readonly graph: OnnxGraph;
  readonly functions: readonly OnnxFunction[];
  readonly training: readonly OnnxTraining[];
  /** All graphs: the main one first, bodies after the graph or function that holds them, those of training last. */
  readonly graphs: readonly OnnxGraph[];
  /** Numbers of fields of the model that this program does not know. */
  readonly unknownFields: readonly number[];
}

export interface OpsetImport {
  /** `''` for ONNX's own; `ai.onnx` is read as `''`. */
  readonly domain: string;
  readonly version: number;
  readonly site: FieldSite;
}

export interface MetadataProp {
  readonly key: string;
  readonly value: string;
}

/** A text that is a name, and its field. */
export interface NameSite {
  readonly text: string;
  readonly site: FieldSite;
}

export interface OnnxGraph {
  readonly frame: Frame;
  /** `GraphScope.path`: `''`, `#12.then_branch`, `#12.then_branch/#3.body`, `training:0.algorithm`, `training:0.initialization`. */
  readonly path: string;
  readonly name: string;
  readonly doc: string;
  /** Graph that holds this one, and where; `null` for the main graph and those of training. */
  readonly parent: { readonly graph: OnnxGraph | OnnxFunction; readonly node: number; readonly attribute: string } | null;
  readonly children: readonly OnnxGraph[];
  readonly nodes: readonly OnnxNode[];
  readonly inputs: readonly OnnxValueInfo[];
  readonly outputs: readonly OnnxValueInfo[];
  readonly valueInfos: readonly OnnxValueInfo[];
  readonly initializers: readonly OnnxTensor[];
  readonly sparse: readonly OnnxSparseTensor[];
  readonly annotations: readonly OnnxAnnotation[];
  readonly metadata: readonly MetadataProp[];
  readonly unknownFields: readonly number[];
}

export interface OnnxFunction {
  readonly frame: Frame;
  /** `fn:domain.name` or `fn:domain.name:overload`. */
  readonly path: string;
  readonly name: string;
  readonly nameSite: FieldSite | null;
  readonly domain: string;
  readonly overload: string;
  readonly inputs: readonly NameSite[];
  readonly outputs: readonly NameSite[];
  readonly attributes: readonly string[];
  readonly nodes: readonly OnnxNode[];
  /** In a function, too: what is known of the values inside. */
  readonly valueInfos: readonly OnnxValueInfo[];
  readonly opsets: readonly OpsetImport[];
  /** Bodies inside the function's nodes; their paths begin with the function's. */
  readonly children: readonly OnnxGraph[];
  readonly doc: string;
}

export interface OnnxTraining {
  readonly frame: Frame;
  readonly initialization: OnnxGraph | null;
  readonly algorithm: OnnxGraph | null;
  /** Keys name initializers, values outputs of the graphs. */
  readonly initializationBindings: readonly Binding[];
  readonly updateBindings: readonly Binding[];
}

export interface Binding {
  readonly key: NameSite | null;
  readonly value: NameSite | null;
}

export interface OnnxNode {
  readonly frame: Frame;
  /** Position in its graph's or function's list. */
  readonly index: number;
  readonly name: string;
  readonly nameSite: FieldSite | null;
  readonly op: string;
  readonly opSite: FieldSite | null;
  /** `''` for ONNX's own; `ai.onnx` is read as `''`. */
  readonly domain: string;
  readonly overload: string;
  /** A text may be empty: an optional input that is left out. */
  readonly inputs: readonly NameSite[];
  readonly outputs: readonly NameSite[];
  readonly attributes: readonly OnnxAttribute[];
  /** `sharding_spec.tensor_name` of IR 11. */
  readonly sharding: readonly NameSite[];
  readonly metadata: readonly MetadataProp[];
  readonly doc: string;
  readonly unknownFields: readonly number[];
}

/** AttributeProto.AttributeType, in lower case; `unknown` for another number. */
export type AttributeType =
  | 'undefined'
  | 'float'
  | 'int'
  | 'string'
  | 'tensor'
  | 'graph'
  | 'floats'
  | 'ints'
  | 'strings'
  | 'tensors'
  | 'graphs'
  | 'sparse_tensor'
  | 'sparse_tensors'
  | 'type_proto'
  | 'type_protos'
  | 'unknown';

export interface OnnxAttribute {
  readonly frame: Frame;
  readonly name: string;
  /** From the field `type`, or from what is there when the field is absent (IR 1). */
  readonly type: AttributeType;
  /** In a function: the attribute of the call that it takes its value from. */
  readonly ref: string;
  readonly float: number | null;
  readonly int: bigint | null;
  /** Bytes as `decodeName` gives them. */
  readonly string: string | null;
  readonly floats: readonly number[];
  readonly ints: readonly bigint[];
  readonly strings: readonly string[];
  readonly tensors: readonly OnnxTensor[];
  readonly sparseTensors: readonly OnnxSparseTensor[];
  /** Bodies; the same objects are among the `children` of the graph. */
  readonly graphs: readonly OnnxGraph[];
  readonly doc: string;
  /** Fields of name, type and value, for one who rewrites them; those of one number that follow each other are one site. */
  readonly sites: readonly FieldSite[];
}

/** What is known of a value's type: TypeProto. */
export interface OnnxValueType {
  readonly kind: 'tensor' | 'sequence' | 'map' | 'optional' | 'sparse_tensor' | 'opaque' | 'unknown';
  /** TensorProto.DataType; 0 when absent. */
  readonly elementType: number;
  /** `null`: the rank is not known. A text is a symbolic dimension; `null` one that is unknown. */
  readonly dims: readonly (number | string | null)[] | null;
}

export interface OnnxValueInfo {
  readonly frame: Frame;
  readonly name: string;
  readonly nameSite: FieldSite | null;
  readonly type: OnnxValueType | null;
  /** The field `type`, for one who rewrites it. */
  readonly typeSite: FieldSite | null;
  readonly doc: string;
}

export interface OnnxTensor {
  readonly frame: Frame;
  readonly name: string;
  readonly nameSite: FieldSite | null;
  /** TensorProto.DataType. */
  readonly type: number;
  /** As they stand; a hostile file may have negative ones. */
  readonly dims: readonly number[];
  /** As `typed`. */
  readonly dimSites: readonly FieldSite[];
  /** Content of raw_data: bytes of the file. */
  readonly raw: { readonly site: FieldSite; readonly offset: number; readonly length: number } | null;
  /** Field 2. */
  readonly typeSite: FieldSite | null;
  /**
   * Fields with typed values (float_data 4, int32_data 5, string_data 6, int64_data 7, double_data 10, uint64_data 11), packed or one by
   * one. Fields of one number that follow each other are one site.
   */
  readonly typed: readonly FieldSite[];
  /** Content of `typed` when that is one packed list, which for floats and doubles is the raw bytes. */
  readonly packed: { readonly offset: number; readonly length: number } | null;
  readonly external: {
    readonly location: string;
    readonly offset: number | null;
    readonly length: number | null;
    /** As they stand, those of keys that we do not know too. */
    readonly entries: readonly (MetadataProp & { readonly site: FieldSite })[];
    readonly sites: readonly FieldSite[];
  } | null;
  readonly dataLocationSite: FieldSite | null;
  /**
   * Every field that holds the value or says where it is, those without effect too (external_data of a value that is in the model, a second
   * raw_data): for one who replaces it.
   */
  readonly valueSites: readonly FieldSite[];
  readonly segmented: boolean;
  readonly doc: string;
  readonly unknownFields: readonly number[];
}

export interface OnnxSparseTensor {
  readonly frame: Frame;
  readonly values: OnnxTensor | null;
  readonly indices: OnnxTensor | null;
  readonly dims: readonly number[];
}

/** TensorAnnotation: `quant_parameter_tensor_names` maps roles (SCALE_TENSOR ...) to names of tensors. */
export interface OnnxAnnotation {
  readonly frame: Frame;
  readonly tensor: NameSite | null;
  readonly parameters: readonly { readonly role: string; readonly name: NameSite | null }[];
}
