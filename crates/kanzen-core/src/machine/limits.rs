//! The memory limits of this process: control groups and resource limits.
//!
//! A machine with 64 GB may give a container 2 of them, and a shell `ulimit -v` less still. A process beyond the first is
//! killed without a message, one beyond the second gets no memory: so both limit what is free.
//!
//! ```text
//! /proc/self/cgroup    4:memory:/jobs/7     version 1: memory.limit_in_bytes of /jobs/7, /jobs and /
//!                      0::/jobs/7           version 2: memory.max of the same
//! getrlimit            address space, data
//! ```

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, getrlimit};

/// Bytes that the limits of the system leave to this process beyond what it holds; nothing if there are no limits.
pub fn room_within_limits() -> Option<u64> {
    let groups = room_in_groups(Path::new("/"));
    let address_space = room_below(Resource::As, "VmSize:");
    let data = room_below(Resource::Data, "VmData:");
    [groups, address_space, data].into_iter().flatten().min()
}

/// What a resource limit leaves, given what the process has of it.
fn room_below(resource: Resource, held: &str) -> Option<u64> {
    let limit = getrlimit(resource).current?;
    Some(limit.saturating_sub(super::system::kilobytes("/proc/self/status", held).unwrap_or(0)))
}

/// What the control groups of this process leave, under the root of the file system.
fn room_in_groups(root: &Path) -> Option<u64> {
    let groups = read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mounted = root.join("sys/fs/cgroup");
    let rooms = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        match controllers {
            "" => room_on_the_way(&mounted, path, &VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => {
                room_on_the_way(&mounted.join("memory"), path, &VERSION_1)
            }
            _ => None,
        }
    });
    rooms.min()
}

/// The files of a control group.
struct Files {
    limit: &'static str,
    usage: &'static str,
    /// The field of `memory.stat` for the part of the usage that is inactive files: the system can reclaim it.
    reclaimed: &'static str,
}

const VERSION_1: Files =
    Files { limit: "memory.limit_in_bytes", usage: "memory.usage_in_bytes", reclaimed: "total_inactive_file" };
const VERSION_2: Files = Files { limit: "memory.max", usage: "memory.current", reclaimed: "inactive_file" };

/// The least room in a group and in all above it: each of them has limits. In a container the path may be that of the
/// machine outside; then only the top is there, and it is the container's own.
fn room_on_the_way(mounted: &Path, path: &str, files: &Files) -> Option<u64> {
    let ways: Vec<PathBuf> = Path::new(path).ancestors().map(|above| mounted.join(above)).collect();
    ways.iter().filter_map(|group| room_in_group(group, files)).min()
}

fn room_in_group(group: &Path, files: &Files) -> Option<u64> {
    // "max" is no number, and so no limit.
    let number = |file: &str| read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
    let limit = number(files.limit)?;
    let usage = number(files.usage).unwrap_or(0);
    let stat = read_to_string(group.join("memory.stat")).unwrap_or_default();
    let reclaimed = stat.lines().find_map(|line| line.strip_prefix(files.reclaimed)?.trim().parse::<u64>().ok());
    Some(limit.saturating_sub(usage.saturating_sub(reclaimed.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with these files.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn a_group_of_the_second_version_leaves_what_is_not_used() {
        let root = root(&[
            ("proc/self/cgroup", "0::/jobs/7\n"),
            ("sys/fs/cgroup/jobs/7/memory.max", "max\n"),
            ("sys/fs/cgroup/jobs/memory.max", "1000000\n"),
            ("sys/fs/cgroup/jobs/memory.current", "700000\n"),
            ("sys/fs/cgroup/jobs/memory.stat", "anon 100\nfile 300000\ninactive_file 200000\nactive_file 100000\n"),
        ]);
        assert_eq!(room_in_groups(root.path()), Some(500_000));
    }

    #[test]
    fn a_group_of_the_first_version_does_too() {
        let root = root(&[
            ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n0::/\n"),
            ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "4096\n"),
            ("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "4000\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "50\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "20\n"),
        ]);
        assert_eq!(room_in_groups(root.path()), Some(30));
    }

    #[test]
    fn in_a_container_the_top_is_the_containers_own() {
        let root = root(&[
            ("proc/self/cgroup", "4:memory:/docker/0123456789\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "800\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "900\n"),
        ]);
        assert_eq!(room_in_groups(root.path()), Some(0));
    }

    #[test]
    fn no_groups_are_no_limit() {
        assert_eq!(room_in_groups(root(&[]).path()), None);
        assert_eq!(room_in_groups(root(&[("proc/self/cgroup", "0::/\nnonsense\n")]).path()), None);
    }
}
