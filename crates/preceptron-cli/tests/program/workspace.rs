//! What the README's commands rest on.

use std::process::Command;

/// `cargo run` in the workspace is the program: of the packages that it builds, no other has one.
#[test]
fn cargo_run_is_the_program() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let run = metadata["workspace_default_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let targets = packages
        .filter(|package| run.contains(&package["id"]))
        .flat_map(|package| package["targets"].as_array().unwrap());
    let programs: Vec<&str> = targets
        .filter(|target| target["kind"][0] == "bin")
        .map(|target| target["name"].as_str().unwrap())
        .collect();
    assert_eq!(programs, ["precept"]);
}
