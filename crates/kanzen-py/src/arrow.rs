//! Exports tables through the Arrow C data interface: a schema and a stream of one batch, in Python capsules.
//!
//! ```text
//! __arrow_c_schema__   capsule "arrow_schema"        a struct of the columns: names and types
//! __arrow_c_stream__   capsule "arrow_array_stream"  the schema, and one batch that shares the table's buffers
//! ```
//!
//! Nothing is copied: a batch holds a reference to the columns until its reader releases it. The interface is three C
//! structs, stable since 2020, and a table has three column types. The arrow crates would add dozens of packages.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use crate::table::{Cells, Column};

/// The columns of a table, by name.
pub type Columns = Arc<[(String, Arc<Column>)]>;

const NULLABLE: i64 = 2;
/// `EINVAL`: returned by a released stream.
const INVALID: c_int = 22;

/// `struct ArrowSchema`.
#[repr(C)]
pub struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
pub struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream`.
#[repr(C)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: the structs own what they point to, none of it is bound to a thread, and its reference counts are atomic.
unsafe impl Send for Schema {}
// SAFETY: as above.
unsafe impl Send for Stream {}

/// The private data of a schema.
struct OwnSchema {
    _name: CString,
    children: Vec<*mut Schema>,
}

/// The private data of an array: its buffers and children, and a reference to the column that owns the buffers.
struct OwnArray {
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    _column: Option<Arc<Column>>,
}

/// The private data of a stream: the table, and whether it was read.
struct OwnStream {
    columns: Columns,
    rows: usize,
    read: bool,
}

impl Schema {
    /// Returns the schema of a table: a struct of its columns.
    pub fn of_table(columns: &Columns) -> Schema {
        let children = columns.iter().map(|(name, column)| Schema::new(column.format(), name, Vec::new()));
        let children = children.map(|child| Box::into_raw(Box::new(child))).collect();
        let mut schema = Schema::new(c"+s", "", children);
        schema.flags = 0; // no row is null
        schema
    }

    fn new(format: &'static std::ffi::CStr, name: &str, children: Vec<*mut Schema>) -> Schema {
        let name = CString::new(name.replace('\0', " ")).unwrap_or_default();
        let mut own = Box::new(OwnSchema { _name: name, children });
        Schema {
            format: format.as_ptr(),
            name: own._name.as_ptr(),
            metadata: null(),
            flags: NULLABLE,
            n_children: own.children.len() as i64,
            children: own.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(own).cast(),
        }
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a schema with `release` has not been released, and is this one.
            unsafe { release(self) }
        }
    }
}

impl Stream {
    /// Returns a stream of one batch: the whole table.
    pub fn of_table(columns: Columns, rows: usize) -> Stream {
        Stream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(OwnStream { columns, rows, read: false })).cast(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a stream with `release` has not been released, and is this one.
            unsafe { release(self) }
        }
    }
}

impl Array {
    fn of_table(columns: &Columns, rows: usize) -> Array {
        let children = columns.iter().map(|(_, column)| Box::into_raw(Box::new(Array::of_column(column)))).collect();
        // A struct has a validity buffer only, and no row is null.
        Array::new(rows, 0, vec![null()], children, None)
    }

    fn of_column(column: &Arc<Column>) -> Array {
        let mut buffers = vec![column.validity.as_ref().map_or(null(), |bits| bits.as_ptr().cast())];
        match &column.cells {
            Cells::Integers(numbers) => buffers.push(numbers.as_ptr().cast()),
            Cells::Booleans(bits) => buffers.push(bits.as_ptr().cast()),
            Cells::Texts { offsets, letters } => {
                buffers.extend([offsets.as_ptr().cast::<c_void>(), letters.as_ptr().cast()]);
            }
        }
        Array::new(column.len, column.nulls, buffers, Vec::new(), Some(column.clone()))
    }

    fn new(
        length: usize,
        nulls: usize,
        buffers: Vec<*const c_void>,
        children: Vec<*mut Array>,
        column: Option<Arc<Column>>,
    ) -> Array {
        let mut own = Box::new(OwnArray { buffers, children, _column: column });
        Array {
            length: length as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: own.buffers.len() as i64,
            n_children: own.children.len() as i64,
            buffers: own.buffers.as_mut_ptr(),
            children: own.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(own).cast(),
        }
    }

    /// Returns the end-of-stream marker.
    fn end() -> Array {
        Array {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

/// # Safety
/// `schema` was made by [`Schema::new`] and not released.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: by the contract the schema is whole and its private data is an `OwnSchema` that was not freed. Its
    // children are boxes; a reader may have moved their contents out, which sets `release` to null.
    unsafe {
        let own = Box::from_raw((*schema).private_data.cast::<OwnSchema>());
        for &child in &own.children {
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
        (*schema).private_data = null_mut();
    }
}

/// # Safety
/// `array` was made by [`Array::new`] and not released.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: as for a schema; children whose contents were moved out have no `release`.
    unsafe {
        let own = Box::from_raw((*array).private_data.cast::<OwnArray>());
        for &child in &own.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
        (*array).private_data = null_mut();
    }
}

/// # Safety
/// `stream` was made by [`Stream::of_table`]; `schema` points to writable memory for a schema.
unsafe extern "C" fn get_schema(stream: *mut Stream, schema: *mut Schema) -> c_int {
    // SAFETY: by the contract; `write` does not drop the uninitialized target.
    unsafe {
        let Some(own) = (*stream).private_data.cast::<OwnStream>().as_ref() else { return INVALID };
        schema.write(Schema::of_table(&own.columns));
    }
    0
}

/// # Safety
/// `stream` was made by [`Stream::of_table`]; `array` points to writable memory for an array.
unsafe extern "C" fn get_next(stream: *mut Stream, array: *mut Array) -> c_int {
    // SAFETY: by the contract; a stream is read by one thread at a time.
    unsafe {
        let Some(own) = (*stream).private_data.cast::<OwnStream>().as_mut() else { return INVALID };
        array.write(if std::mem::replace(&mut own.read, true) {
            Array::end()
        } else {
            Array::of_table(&own.columns, own.rows)
        });
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    null()
}

/// # Safety
/// `stream` was made by [`Stream::of_table`] and not released.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: by the contract the private data is an `OwnStream` that was not freed.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<OwnStream>()));
        (*stream).release = None;
        (*stream).private_data = null_mut();
    }
}
